"""Portuguese, for what answers and why."""

ANSWERING = {
    "summary.compress": "encurtar esta conversa: resumir o meio dela",
    "compress.nothing": "Não há conversa para encurtar.",
    "compress.done": (
        "Encurto esta conversa antes da minha próxima resposta: o meio dela torna-se um resumo e continua a poder "
        "encontrar-se."
    ),
    "summary.model": "que modelo responde nesta conversa, ou outro",
    "summary.why": "porque a minha última mensagem teve esta resposta",
    "model.is": "Aqui responde {model}. Há: {models}",
    "model.no_talk": "Ainda não há conversa; escreve-me primeiro e depois escolhe.",
    "model.unknown": "Não tenho nenhum modelo chamado «{name}». Há: {models}",
    "model.set": (
        "A partir da próxima resposta, {model} responde nesta conversa; os outros substituem-no se for preciso."
    ),
    "why.nothing": "Ainda não recebeste nenhuma resposta aqui.",
    "why.last": (
        "A tua última mensagem aqui foi admitida como «{rule}». Conversa «{title}», turno {turn}: respondeu "
        "{model} em {seconds} s. Ferramentas: {tools}. Tokens: {input} de entrada ({cached} em cache), "
        "{output} de saída. Partes enviadas: {parts}."
    ),
}
