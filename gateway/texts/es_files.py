"""Spanish, for pictures, voices and documents."""

FILES = {
    "too_large": (
        "{name} ocupa más de {limit} MB, que es lo máximo que puedo descargar aquí. ¿Puedes enviar algo más pequeño?"
    ),
    "pictures.unseen": "Con el modelo que está configurado aquí no puedo ver imágenes: solo veo su nombre y su tamaño.",
    "voice.heard": "🎤 «{words}»",
    "voice.unheard": (
        "No puedo escuchar mensajes de voz: aquí no hay ninguna transcripción configurada. Escríbemelo, por favor."
    ),
    "voice.misheard": "No he podido entender {name}. Escríbemelo, por favor, o envíalo de nuevo más tarde.",
    "summary.voice": "oír también las respuestas: on u off",
    "voice.on": "Desde ahora, en tus conversaciones directas recibes mis respuestas también como mensajes de voz.",
    "voice.off": "Desde ahora, solo respuestas escritas.",
    "voice.mute": (
        "Aquí no puedo hablar: no hay ninguna voz configurada (`agent.speech`). Puede hacerlo quien me gestiona."
    ),
}
