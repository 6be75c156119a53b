// The interviewer in Spanish.

import type { Sentences } from './sentences.ts'

export const es: Sentences = {
  locale: 'es',
  greeting: name => `Hola, soy ${name}. ¿Tiene un momento?`,
  question: title => `¿Puedo preguntarle por esto: ${title}?`,
  again: {
    boolean: 'Perdón, ¿es sí o no?',
    number: 'Perdón, ¿qué número es?',
    date: 'Perdón, ¿qué día es?',
    text: 'Perdón, ¿puede repetirlo?',
    choice: options => `Perdón, ¿cuál de estas opciones es: ${options}?`,
  },
  readBack: values => `Repito: ${values}. ¿Es correcto?`,
  whichIsWrong: titles => `¿Qué debo corregir: ${titles}?`,
  yes: 'sí',
  no: 'no',
  goodbye: {
    done: 'Gracias, es todo lo que quería saber. ¡Adiós!',
    nothing: 'Gracias por su tiempo. ¡Adiós!',
    declined: 'No hay problema. Gracias por su tiempo. ¡Adiós!',
    callback: 'Claro, llamaremos en otro momento. ¡Adiós!',
    doNotCall: 'Entiendo. No volveremos a llamarle. Adiós.',
    wrongNumber: 'Perdón, tengo el número equivocado. ¡Adiós!',
    person: 'Pediré a un compañero que le llame. ¡Adiós!',
  },
  connecting: 'Un momento, le paso con una persona.',
  stillThere: '¿Sigue ahí?',
  nobodyThere: 'No le oigo. Lo intentaremos en otro momento. ¡Adiós!',
  trouble: 'Perdón, tengo un problema técnico. Le llamaremos de nuevo. ¡Adiós!',
  oneMoment: 'Un momento, por favor.',
  hears: {
    yes: /(?<!\p{L})(?:sí|si|correcto|exacto|claro|por supuesto|de acuerdo|vale|adelante|ok|okay)(?!\p{L})/u,
    no: /(?<!\p{L})(?:no|nunca|tampoco|incorrecto|ninguno|ninguna)(?!\p{L})/u,
    unknown: /(?<!\p{L})(?:no (?:lo )?sé|ni idea|prefiero no|saltar)(?!\p{L})/u,
    doNotCall: /(?<!\p{L})(?:no (?:me|nos) (?:llame|llamen|vuelva a llamar|vuelvan a llamar)|deje de llamar|no llame más)(?!\p{L})/u,
    callback: /(?<!\p{L})(?:llámeme|llame (?:más tarde|luego|mañana)|más tarde|otro momento|en una reunión|no es buen momento)(?!\p{L})/u,
    wrongNumber: /(?<!\p{L})(?:número equivocado|se equivoca de número|se ha equivocado|nadie con ese nombre)(?!\p{L})/u,
    person: /(?<!\p{L})(?:hablar con (?:una persona|alguien|un humano|un compañero)|persona real)(?!\p{L})/u,
    goodbye: /(?<!\p{L})(?:adiós|hasta luego|colgar)(?!\p{L})/u,
  },
  backchannel: /^(?:mm-?hm+|mhm+|ajá|hm+|ah|sí|ok|okay|vale|claro|ya)[.!,]?$/,
  pressed: keys => `(teclas: ${keys})`,
  beforeValue: /^(?:(?:pues|eh|sí),? )?(?:(?:mi|nuestro|nuestra|el|la) [\p{L} ]{2,30} es|es|soy|somos|me llamo)\s+/iu,
}
