// The buttons below a program's request: allow, do not allow, or use another account.

import { Button, Group } from '@mantine/core'
import { programWords } from '../../language/en/account/programs.ts'
import { signOut } from '../../session/sign-out.ts'

interface AnswerProps {
  isRunning: boolean
  /** Whether there is nothing to allow. */
  isDisabled?: boolean
  onAllow(): void
  onDeny(): void
}

export const Answer = ({ isRunning, isDisabled = false, onAllow, onDeny }: AnswerProps) => (
  <Group gap="xs">
    <Button size="sm" loading={isRunning} disabled={isDisabled} onClick={onAllow}>
      {programWords.allow}
    </Button>
    <Button size="sm" variant="default" onClick={onDeny}>
      {programWords.deny}
    </Button>
    <Button size="sm" variant="subtle" color="gray" onClick={() => void signOut()}>
      {programWords.otherAccount}
    </Button>
  </Group>
)
