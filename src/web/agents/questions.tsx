// The rows of the answers that an agent finds out: a name, a kind, and help for the agent.

import { ActionIcon, Button, Group, Input, Select, Stack, TagsInput, TextInput } from '@mantine/core'
import { useUncontrolled } from '@mantine/hooks'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { emptyQuestion, type Question, type QuestionKind } from './question.ts'

const kinds: readonly { value: QuestionKind; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'yesNo', label: 'Yes or no' },
  { value: 'choice', label: 'Choice' },
]
// As many as the server takes.
const maxQuestions = 50

interface QuestionsProps {
  label: string
  /** Forms give a default value, and hear of changes. */
  value?: readonly Question[]
  defaultValue?: readonly Question[]
  onChange?(next: readonly Question[]): void
  error?: ReactNode
}

export function Questions({ label, error, ...given }: QuestionsProps) {
  const [value, onChange] = useUncontrolled<readonly Question[]>({ ...given, finalValue: [] })
  const set = (index: number, change: Partial<Question>) =>
    onChange(value.map((one, place) => (place === index ? { ...one, ...change } : one)))
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      description="The agent asks, and the answers are suggested for the contact"
      error={error}
    >
      <Stack gap="xs" mt={6} role="group" aria-label={label}>
        {value.map((question, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id, and are only removed by their button.
          <Stack key={index} gap={4}>
            <Group gap={6} wrap="nowrap" align="start">
              <TextInput
                flex={1}
                aria-label={`Name of answer ${index + 1}`}
                placeholder="Job title"
                maxLength={60}
                value={question.name}
                onChange={({ currentTarget }) => set(index, { name: currentTarget.value })}
              />
              <Select
                w={120}
                aria-label={`Kind of answer ${index + 1}`}
                data={kinds}
                allowDeselect={false}
                value={question.kind}
                onChange={next => set(index, { kind: next ?? 'text' })}
              />
              <ActionIcon
                size={36}
                aria-label={`Remove ${question.name || `answer ${index + 1}`}`}
                onClick={() => onChange(value.filter((_one, place) => place !== index))}
              >
                <IconTrash />
              </ActionIcon>
            </Group>
            {question.kind === 'choice' && (
              <TagsInput
                aria-label={`Choices of answer ${index + 1}`}
                placeholder="Type a choice and press Enter"
                value={[...question.options]}
                onChange={options => set(index, { options })}
              />
            )}
            <TextInput
              size="xs"
              aria-label={`Help for answer ${index + 1}`}
              placeholder="Help for the agent (optional)"
              maxLength={1000}
              value={question.help}
              onChange={({ currentTarget }) => set(index, { help: currentTarget.value })}
            />
          </Stack>
        ))}
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus />}
            disabled={value.length >= maxQuestions}
            onClick={() => onChange([...value, emptyQuestion])}
          >
            Add an answer
          </Button>
        </Group>
      </Stack>
    </Input.Wrapper>
  )
}
