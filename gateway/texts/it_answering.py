"""Italian, for what answers and why."""

ANSWERING = {
    "summary.compress": "accorciare questa conversazione: riassumerne la parte centrale",
    "compress.nothing": "Non c’è una conversazione da accorciare.",
    "compress.done": (
        "Accorcio questa conversazione prima della mia prossima risposta: la parte centrale diventa un riassunto e "
        "resta reperibile."
    ),
    "summary.model": "quale modello risponde in questa conversazione, o un altro",
    "summary.why": "perché il mio ultimo messaggio ha avuto questa risposta",
    "model.is": "Qui risponde {model}. Ci sono: {models}",
    "model.no_talk": "Non c’è ancora una conversazione; scrivimi prima, poi scegli.",
    "model.unknown": "Non ho nessun modello chiamato «{name}». Ci sono: {models}",
    "model.set": (
        "Dalla prossima risposta, in questa conversazione risponde {model}; gli altri lo sostituiscono se serve."
    ),
    "why.nothing": "Qui non hai ancora avuto risposte.",
    "why.last": (
        "Il tuo ultimo messaggio qui è stato ammesso come «{rule}». Conversazione «{title}», turno {turn}: "
        "ha risposto {model} in {seconds} s. Strumenti: {tools}. Token: {input} in entrata ({cached} dalla "
        "cache), {output} in uscita. Parti inviate: {parts}."
    ),
}
