"""German, for what answers and why."""

ANSWERING = {
    "summary.compress": "dieses Gespräch kürzen: seine Mitte zusammenfassen",
    "compress.nothing": "Es gibt kein Gespräch zu kürzen.",
    "compress.done": (
        "Vor meiner nächsten Antwort kürze ich dieses Gespräch: seine Mitte wird zusammengefasst und bleibt auffindbar."
    ),
    "summary.model": "welches Modell hier antwortet, oder ein anderes",
    "summary.why": "warum meine letzte Nachricht hier so beantwortet wurde",
    "model.is": "Hier antwortet {model}. Es gibt: {models}",
    "model.no_talk": "Es gibt noch kein Gespräch; schreib mir erst, dann wähle.",
    "model.unknown": "Ein Modell „{name}“ habe ich nicht. Es gibt: {models}",
    "model.set": "Ab der nächsten Antwort antwortet in diesem Gespräch {model}; die anderen springen ein.",
    "why.nothing": "Du hast hier noch keine Antwort bekommen.",
    "why.last": (
        "Deine letzte Nachricht hier wurde eingelassen als „{rule}“. Gespräch „{title}“, Zug {turn}: "
        "beantwortet von {model} in {seconds} s. Werkzeuge: {tools}. Tokens: {input} hinein ({cached} davon "
        "aus dem Cache), {output} heraus. Gesendete Teile: {parts}."
    ),
}
