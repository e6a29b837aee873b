// Made by `backstory install opencode`; `backstory uninstall opencode` removes it.
// It hands prompts, answers and commands to `backstory hook`, and its text to the model.
import { spawnSync } from "node:child_process";

const PROGRAM = @PROGRAM@;
const SHOWN_MAX = 9000; // characters in all, as other hosts are shown at once
// `opencode run "…"` is what a script calls; it puts what it was given between quotes.
const IS_SCRIPTED = process.argv.slice(2).find((word) => !word.startsWith("-")) === "run";
const QUOTED = /^"((?:[^"\\]|\\"|\\)*)"$/;

function said(text) {
  const quoted = IS_SCRIPTED && text.match(QUOTED);
  return quoted ? quoted[1].replaceAll('\\"', '"') : text;
}

function tell(event, fields) {
  try {
    const words = [...PROGRAM.slice(1), "hook", "--host", "opencode", "--event", event];
    const ran = spawnSync(PROGRAM[0], words, {
      input: JSON.stringify(fields), encoding: "utf8", timeout: 5000,
    });
    return JSON.parse(ran.stdout || "{}").context || "";
  } catch {
    return "";
  }
}

export const Backstory = async ({ directory }) => {
  const sessions = new Map(); // what each was shown, and what it is in the middle of
  const subagents = new Set();
  const answering = new Set(); // messages of the model
  const call = (session_id) => ({ session_id, cwd: directory, is_scripted: IS_SCRIPTED });
  const begin = (sessionID) => {
    const session = { index: tell("SessionStart", call(sessionID)), shown: [], commands: new Map() };
    sessions.set(sessionID, session);
    return session;
  };
  return {
    "chat.message": async ({ sessionID, messageID }, { message, parts }) => {
      if (subagents.has(sessionID)) return;
      const session = sessions.get(sessionID) || begin(sessionID);
      const texts = parts.filter((part) => part.type === "text" && !part.synthetic);
      const prompt = said(texts.map((part) => part.text).join("\n"));
      session.answer = "";
      const name = messageID || message?.id;
      session.shown.push(tell("UserPromptSubmit", { ...call(sessionID), prompt, messageID: name }));
    },
    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      const session = sessions.get(sessionID);
      // What only gives the session a name is a request of the same session, told by its words.
      if (!session || /\btitle generator\b/i.test(output.system[0] || "")) return;
      const texts = [];
      let room = SHOWN_MAX - session.index.length;
      for (const text of [...session.shown].reverse()) {
        room -= text.length;
        if (room < 0) break;
        if (text) texts.unshift(text);
      }
      output.system.push(...[session.index, ...texts].filter(Boolean));
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
      if (tool === "bash") sessions.get(sessionID)?.commands.set(callID, args?.command);
    },
    "tool.execute.after": async ({ tool, sessionID, callID }, { metadata }) => {
      const commands = sessions.get(sessionID)?.commands;
      const command = commands?.get(callID);
      commands?.delete(callID);
      if (tool !== "bash" || !command || !Number.isInteger(metadata?.exit)) return;
      const ran = { tool_name: tool, tool_input: { command }, exit_code: metadata.exit, callID };
      tell("PostToolUse", { ...call(sessionID), ...ran });
    },
    event: async ({ event }) => {
      const { info, part, sessionID } = event.properties || {};
      if (event.type === "session.created" && info?.parentID) subagents.add(info.id);
      if (event.type === "message.updated" && info?.role === "assistant") answering.add(info.id);
      const session = sessions.get(part?.sessionID || sessionID);
      if (!session) return;
      const isAnswer = part?.type === "text" && !part.synthetic && answering.has(part.messageID);
      if (event.type === "message.part.updated" && isAnswer) session.answer = part.text;
      if (event.type !== "session.idle") return;
      tell("Stop", { ...call(sessionID), response: session.answer || "" });
    },
  };
};
