// The buttons below what a program asks for: allow it, do not, or ask again as somebody else.

import { Button, Group } from '@mantine/core'
import { signOut } from '../../session/sign-out.ts'

interface AnswerProps {
  isRunning: boolean
  /** Nothing is left that could be allowed. */
  isDisabled?: boolean
  onAllow(): void
  onDeny(): void
}

export const Answer = ({ isRunning, isDisabled = false, onAllow, onDeny }: AnswerProps) => (
  <Group gap="xs">
    <Button size="sm" loading={isRunning} disabled={isDisabled} onClick={onAllow}>
      Allow
    </Button>
    <Button size="sm" variant="default" onClick={onDeny}>
      Do not allow
    </Button>
    <Button size="sm" variant="subtle" color="gray" onClick={() => void signOut()}>
      Use another account
    </Button>
  </Group>
)
