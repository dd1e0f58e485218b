"""Spanish, for what answers and why."""

ANSWERING = {
    "summary.compress": "acortar esta charla: resumir su parte central",
    "compress.nothing": "No hay charla que acortar.",
    "compress.done": (
        "Acorto esta charla antes de mi próxima respuesta: su parte central se resume y sigue pudiendo encontrarse."
    ),
    "summary.model": "qué modelo responde en esta charla, u otro",
    "summary.why": "por qué se respondió así a mi último mensaje",
    "model.is": "Aquí responde {model}. Hay: {models}",
    "model.no_talk": "Todavía no hay ninguna charla; escríbeme primero y luego elige.",
    "model.unknown": "No tengo ningún modelo llamado «{name}». Hay: {models}",
    "model.set": "Desde la próxima respuesta, {model} responde en esta charla; los demás lo suplen.",
    "why.nothing": "Aquí todavía no has recibido ninguna respuesta.",
    "why.last": (
        "Tu último mensaje aquí se admitió como «{rule}». Charla «{title}», turno {turn}: respondió {model} "
        "en {seconds} s. Herramientas: {tools}. Tokens: {input} de entrada ({cached} de ellos en caché), "
        "{output} de salida. Partes enviadas: {parts}."
    ),
}
