"""English, for what answers and why."""

ANSWERING = {
    "summary.compress": "shorten this talk: summarize its middle",
    "compress.nothing": "There is no talk to shorten.",
    "compress.done": "I shorten this talk before my next answer: its middle becomes a summary, and stays findable.",
    "summary.model": "which model answers this talk, or another one",
    "summary.why": "why my last message here was answered so",
    "model.is": "{model} answers here. There are: {models}",
    "model.no_talk": "There is no talk yet; write to me first, then choose.",
    "model.unknown": "I have no model called “{name}”. There are: {models}",
    "model.set": "From the next answer on, {model} answers this talk; the others stand in for it.",
    "why.nothing": "You have had no answer here yet.",
    "why.last": (
        "Your last message here was let in as “{rule}”. Talk “{title}”, turn {turn}: answered by {model} in "
        "{seconds} s. Tools: {tools}. Tokens: {input} in ({cached} of them cached), {output} out. Posted "
        "parts: {parts}."
    ),
}
