// The secret that signs an agent's messages: shown on request, and rotated. The old secret stays valid for a while.

import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { useMutationWithProblems } from '../data/use-write.ts'
import { RevealSigningSecretDocument, RotateSigningSecretDocument } from '../generated/documents/agents.ts'
import type { VoiceAgentRowFragment } from '../generated/operations.ts'
import { agentPageWords } from '../language/en/screens/agents.ts'
import { confirm } from '../pieces/confirm.ts'
import { CopyText } from '../pieces/copy-text.tsx'
import { Part } from '../pieces/part.tsx'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { useMe } from '../session/use-me.ts'

export function SigningSecret({ agent: { id, name } }: { agent: VoiceAgentRowFragment }) {
  const { isOff } = useMe()
  const [secrets, setSecrets] = useState<readonly string[]>([])
  const reveal = useMutationWithProblems(RevealSigningSecretDocument)
  const rotate = useMutationWithProblems(RotateSigningSecretDocument)
  const failure = reveal.failure ?? rotate.failure
  const show = async () => setSecrets((await reveal.run({ id })).data?.revealSigningSecret.secrets ?? [])
  const replace = () =>
    confirm({
      title: agentPageWords.secret.rotateIt(name),
      loses: agentPageWords.secret.rotateLoses,
      verb: agentPageWords.secret.rotateSecret,
      onConfirm: async () => setSecrets((await rotate.run({ id })).data?.rotateSigningSecret.secrets ?? []),
    })
  return (
    <Part title={agentPageWords.secret.title} sentence={agentPageWords.secret.sentence}>
      <Stack gap={4} mb="xs">
        {secrets.map((secret, index) => (
          <CopyText key={secret} text={secret} label={index === 0 ? agentPageWords.secret.secret : agentPageWords.secret.earlier} />
        ))}
      </Stack>
      {failure && <ErrorNotice failure={failure} />}
      <Group gap="xs">
        {secrets.length === 0 ? (
          <Button variant="default" disabled={isOff} loading={reveal.isRunning} onClick={() => void show()}>
            {agentPageWords.secret.reveal}
          </Button>
        ) : (
          <Button variant="default" onClick={() => setSecrets([])}>
            {agentPageWords.secret.hide}
          </Button>
        )}
        <Button variant="default" disabled={isOff} loading={rotate.isRunning} onClick={replace}>
          {agentPageWords.secret.rotate}
        </Button>
      </Group>
    </Part>
  )
}
