// A date and time in words, such as "tomorrow 9", with the exact date below; or the browser's own input, which an icon opens. A task that has a
// date begins with that one.

import { ActionIcon, TextInput } from '@mantine/core'
import { IconCalendar, IconPencil } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { taskWords } from '../language/en/tasks.ts'
import { fromLocal } from './moment.ts'
import { dateText, useReadDate } from './read-date.ts'

interface DueInputProps {
  label: string
  defaultValue?: string
  error?: ReactNode
  /** With the value of a `datetime-local` input, or `unread` and the words that are no date. */
  onChange?: (value: string) => void
}

const unread = 'unread '
/** For the form's validation. */
export const dueProblem = (value: string): string | null => (value.startsWith(unread) ? taskWords.noDate : null)

export function DueInput({ label, defaultValue = '', error, onChange, ...others }: DueInputProps) {
  const [isInWords, setInWords] = useState(defaultValue === '' || dueProblem(defaultValue) !== null)
  const [words, setWords] = useState(dueProblem(defaultValue) ? defaultValue.slice(unread.length) : '')
  const [at, setAt] = useState(dueProblem(defaultValue) ? '' : defaultValue)
  const read = useReadDate()
  const take = (value: string) => {
    setAt(value)
    onChange?.(value)
  }
  const type = (text: string) => {
    setWords(text)
    const found = read?.(text)
    const isWhole = found && found.rest === ''
    take(text.trim() === '' ? '' : isWhole ? found.at : unread + text)
  }
  // Words that were typed before the parser was there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the parser arrives.
  useEffect(() => {
    if (read && words !== '') type(words)
  }, [read])
  const moment = dueProblem(at) ? null : fromLocal(at)
  const turn = (
    <ActionIcon
      aria-label={isInWords ? taskWords.calendar(label) : taskWords.inWords(label)}
      title={isInWords ? taskWords.calendar(label) : taskWords.inWords(label)}
      onClick={() => {
        if (isInWords && dueProblem(at)) take('')
        setWords('')
        setInWords(!isInWords)
      }}
    >
      {isInWords ? <IconCalendar /> : <IconPencil />}
    </ActionIcon>
  )
  if (!isInWords)
    return (
      <TextInput
        {...others}
        key="calendar"
        type="datetime-local"
        label={label}
        defaultValue={at}
        error={error}
        onChange={event => take(event.currentTarget.value)}
        rightSection={turn}
      />
    )
  return (
    <TextInput
      {...others}
      key="words"
      label={label}
      placeholder={taskWords.dueExample}
      autoComplete="off"
      value={words}
      error={error}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={moment && <span aria-live="polite">{dateText(moment)}</span>}
      onChange={event => type(event.currentTarget.value)}
      rightSection={turn}
    />
  )
}
