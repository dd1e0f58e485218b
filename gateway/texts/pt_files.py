"""Portuguese, for pictures, voices and documents."""

FILES = {
    "too_large": "{name} tem mais de {limit} MB, que é o máximo que consigo obter aqui. Pode enviar algo mais pequeno?",
    "pictures.unseen": "Com o modelo configurado aqui não consigo ver imagens: vejo apenas o nome e o tamanho.",
    "voice.heard": "🎤 «{words}»",
    "voice.unheard": (
        "Não consigo ouvir mensagens de voz: aqui não está configurada nenhuma transcrição. Escreva-me, por favor."
    ),
    "voice.misheard": "Não consegui perceber {name}. Escreva-me, por favor, ou envie de novo mais tarde.",
    "summary.voice": "ouvir também as respostas: on ou off",
    "voice.on": (
        "De agora em diante, nas suas conversas diretas recebe as minhas respostas também como mensagens de voz."
    ),
    "voice.off": "De agora em diante, apenas respostas escritas.",
    "voice.mute": (
        "Aqui não consigo falar: não está configurada nenhuma voz (`agent.speech`). Quem me gere pode fazê-lo."
    ),
}
