// Made by `backstory install opencode`; `backstory uninstall opencode` removes it.
// It hands prompts and answers to `backstory hook`, and its text to the model.
import { spawnSync } from "node:child_process";

const PROGRAM = @PROGRAM@;

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
  const shown = new Map();
  const answers = new Map();
  const add = (sessionID, text) => {
    if (text) shown.set(sessionID, [...(shown.get(sessionID) || []), text]);
  };
  return {
    "chat.message": async ({ sessionID, messageID }, { parts }) => {
      const call = { session_id: sessionID, cwd: directory };
      if (!shown.has(sessionID)) {
        shown.set(sessionID, []);
        add(sessionID, tell("SessionStart", call));
      }
      const text = parts.filter((part) => part.type === "text" && !part.synthetic);
      const prompt = text.map((part) => part.text).join("\n");
      add(sessionID, tell("UserPromptSubmit", { ...call, prompt, messageID }));
    },
    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      for (const text of shown.get(sessionID) || []) output.system.push(text);
    },
    event: async ({ event }) => {
      const part = event.type === "message.part.updated" ? event.properties.part : undefined;
      if (part && part.type === "text") answers.set(part.sessionID, part.text);
      if (event.type !== "session.idle") return;
      const session_id = event.properties.sessionID;
      const response = answers.get(session_id) || "";
      tell("Stop", { session_id, cwd: directory, response });
    },
  };
};
