// The text of a note, with the members marked whom it mentions.

import { Mark } from '@mantine/core'

interface MentionTextProps {
  text: string
  mentions: readonly { userId: string; name: string }[]
}

export function MentionText({ text, mentions }: MentionTextProps) {
  if (mentions.length === 0) return text
  const parts: { at: number; text: string; isMention: boolean }[] = []
  let from = 0
  while (from < text.length) {
    const next = mentions
      .map(({ name }) => ({ name: `@${name}`, at: text.indexOf(`@${name}`, from) }))
      .filter(({ at }) => at >= 0)
      .toSorted((one, other) => one.at - other.at || other.name.length - one.name.length)[0]
    if (!next) break
    parts.push({ at: from, text: text.slice(from, next.at), isMention: false })
    parts.push({ at: next.at, text: next.name, isMention: true })
    from = next.at + next.name.length
  }
  parts.push({ at: from, text: text.slice(from), isMention: false })
  return parts.map(part =>
    part.isMention ? (
      <Mark key={part.at} color="green">
        {part.text}
      </Mark>
    ) : (
      part.text
    ),
  )
}
