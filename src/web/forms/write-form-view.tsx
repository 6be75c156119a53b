// The frame of a form: its fields, then a failure outside of the fields, then the primary button at the left.

import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWait } from '../data/use-wait.ts'
import { errorWords } from '../language/en/errors.ts'
import { pieceWords } from '../language/en/shared/pieces.ts'
import { useIsAway } from '../live/connectivity.ts'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { useMe } from '../session/use-me.ts'
import { Restored } from './restored.tsx'
import type { WriteForm } from './use-write-form.ts'

interface WriteFormViewProps<Values extends object> {
  write: WriteForm<Values>
  /** The button's text, a verb: "Create contact". */
  verb: string
  /** The form cannot be saved yet, because the person has to decide something. */
  isHeld?: boolean
  /** The button has the focus when a dialog opens with the form, because every field has a value. */
  isReady?: boolean
  onCancel?: () => void
  children: ReactNode
}

export function WriteFormView<Values extends object>({
  write,
  verb,
  isHeld = false,
  isReady = false,
  onCancel,
  children,
}: WriteFormViewProps<Values>) {
  const isAway = useIsAway()
  const { isGuest } = useMe()
  const wait = useWait(write.failure)
  return (
    <form onSubmit={write.onSubmit} noValidate>
      <Stack gap="md">
        <Restored draft={write.restored} />
        {children}
        {write.failure && <ErrorNotice failure={write.failure} />}
        <Group gap="xs">
          <Button
            type="submit"
            loading={write.isRunning}
            disabled={isAway || isGuest || isHeld || wait > 0}
            data-autofocus={isReady || undefined}
            // A form that is loaded later comes after the dialog has chosen its focus.
            autoFocus={isReady}
          >
            {isGuest ? pieceWords.signUpToDo : wait > 0 ? errorWords.retryIn(wait) : verb}
          </Button>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              {pieceWords.cancel}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
