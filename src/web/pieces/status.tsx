// A status: a dot and a word, never colour alone.

import { ColorSwatch, Group, Text } from '@mantine/core'

export type Tone = 'good' | 'waiting' | 'failing' | 'information' | 'quiet'

const colors = {
  good: 'var(--mantine-color-green-6)',
  waiting: 'var(--mantine-color-amber-5)',
  failing: 'var(--mantine-color-red-6)',
  information: 'var(--mantine-color-blue-6)',
  quiet: 'var(--mantine-color-gray-5)',
} satisfies Record<Tone, string>

export function Status({ tone, label }: { tone: Tone; label: string }) {
  return (
    <Group gap={6} wrap="nowrap" component="span" display="inline-flex" maw="100%" miw={0}>
      <ColorSwatch component="span" flex="none" color={colors[tone]} size={8} withShadow={false} aria-hidden />
      <Text span inherit truncate>
        {label}
      </Text>
    </Group>
  )
}

/** `NO_ANSWER` as "No answer". */
export function words(value: string): string {
  const text = value.toLowerCase().replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
