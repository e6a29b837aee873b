"""What the official conformance suite asks of a server, and what of it does not apply here.

The suite is written for a server of its own that offers tools, resources and prompts with fixed
names. Everything else in it has to pass.
"""

# Of https://www.npmjs.com/package/@modelcontextprotocol/conformance.
VERSION = "0.2.0-alpha.12"

_TOOL = "calls a tool of the suite's own server, `{}`"
_RESOURCE = "reads a resource of the suite's own server, `{}`"
_PROMPT = "gets a prompt of the suite's own server, `{}`"
_TASKS = "tests long-running tasks, an extension: no tool takes long"
_INPUT = "calls a tool of the suite's own server that asks the client for {}"

NOT_APPLICABLE = {
    "completion-complete": "asks for completions of arguments, which are not offered",
    "elicitation-sep1034-defaults": _INPUT.format("words of the user"),
    "elicitation-sep1330-enums": _INPUT.format("a choice of the user"),
    "http-custom-header-server-validation": "needs a tool that takes arguments from HTTP headers",
    "input-required-result-basic-elicitation": _INPUT.format("words of the user"),
    "input-required-result-basic-list-roots": _INPUT.format("its folders"),
    "input-required-result-basic-sampling": _INPUT.format("its model"),
    "input-required-result-capability-check": _INPUT.format("several things"),
    "input-required-result-multi-round": _INPUT.format("several things in turn"),
    "input-required-result-multiple-input-requests": _INPUT.format("several things"),
    "input-required-result-non-tool-request": _PROMPT.format("test_input_required_result_prompt"),
    "input-required-result-request-state": _INPUT.format("words of the user"),
    "input-required-result-result-type": _INPUT.format("words of the user"),
    "input-required-result-tampered-state": _INPUT.format("words of the user"),
    "json-schema-2020-12": _TOOL.format("json_schema_2020_12_tool"),
    "logging-set-level": "sets the level of log messages, which are not sent",
    "prompts-get-embedded-resource": _PROMPT.format("test_prompt_with_embedded_resource"),
    "prompts-get-simple": _PROMPT.format("test_simple_prompt"),
    "prompts-get-with-args": _PROMPT.format("test_prompt_with_arguments"),
    "prompts-get-with-image": _PROMPT.format("test_prompt_with_image"),
    "resources-read-binary": _RESOURCE.format("test://static-binary"),
    "resources-read-text": _RESOURCE.format("test://static-text"),
    "resources-subscribe": "subscribes to a resource; subscriptions are not offered",
    "resources-templates-read": _RESOURCE.format("test://template/123/data"),
    "resources-unsubscribe": "ends a subscription; subscriptions are not offered",
    "server-sse-polling": _TOOL.format("test_reconnection"),
    "tasks-capability-negotiation": _TASKS,
    "tasks-dispatch-and-envelope": _TASKS,
    "tasks-lifecycle": _TASKS,
    "tasks-mrtr-composition": _TASKS,
    "tasks-mrtr-input": _TASKS,
    "tasks-request-headers": _TASKS,
    "tasks-request-state-removal": _TASKS,
    "tasks-required-task-error": _TASKS,
    "tasks-wire-fields": _TASKS,
    "tools-call-audio": _TOOL.format("test_audio_content"),
    "tools-call-elicitation": _TOOL.format("test_elicitation"),
    "tools-call-embedded-resource": _TOOL.format("test_embedded_resource"),
    "tools-call-image": _TOOL.format("test_image_content"),
    "tools-call-mixed-content": _TOOL.format("test_multiple_content_types"),
    "tools-call-sampling": _TOOL.format("test_sampling"),
    "tools-call-with-logging": _TOOL.format("test_tool_with_logging"),
    "tools-call-with-progress": _TOOL.format("test_tool_with_progress"),
}

# Scenarios of which some checks need a tool of the suite's own server: all the others pass.
_MISSING = (
    "two checks call the suite's own tool, `test_missing_capability`, which needs something of the"
    " client; no tool here does, so that no client can lack it"
)
IN_PART = {"server-stateless": (2, _MISSING)}
