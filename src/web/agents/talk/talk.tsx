// A conversation in writing with an agent, to try it beside its form.

import { Box, Button, Group, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { useMutationWithProblems } from '../../data/use-write.ts'
import { BeginTalkDocument, EndTalkDocument, SayInTalkDocument } from '../../generated/documents/agents-talk.ts'
import type { TalkFragment, VoiceAgentSetupFragment } from '../../generated/operations.ts'
import { talkWords } from '../../language/en/screens/talk.ts'
import { Part } from '../../pieces/part.tsx'
import { ErrorNotice } from '../../pieces/states/error-notice.tsx'
import { useMe } from '../../session/use-me.ts'
import { Composer } from './composer.tsx'
import { TalkResult } from './result.tsx'
import { Turns } from './turns.tsx'

export default function Talk({ agent }: { agent: VoiceAgentSetupFragment }) {
  const { isOff } = useMe()
  const [talk, setTalk] = useState<TalkFragment | null>(null)
  // The words that the agent answers now.
  const [pending, setPending] = useState<string | null>(null)
  const input = useRef<HTMLTextAreaElement>(null)
  const begin = useMutationWithProblems(BeginTalkDocument)
  const say = useMutationWithProblems(SayInTalkDocument)
  const end = useMutationWithProblems(EndTalkDocument)
  const isOver = talk?.talkStatus === 'ENDED'
  const isBusy = begin.isRunning || say.isRunning || end.isRunning
  const failure = begin.failure ?? say.failure ?? end.failure

  const start = async () => {
    setTalk(null)
    const { data } = await begin.run({ input: { voiceAgentId: agent.id } })
    if (!data) return
    setTalk(data.startConversation)
    // The composer is there after the next rendering.
    setTimeout(() => input.current?.focus())
  }
  /** Resolves with whether the words were said. */
  const send = async (text: string) => {
    if (!talk) return false
    setPending(text)
    const { data } = await say.run({ input: { conversationId: talk.id, text } })
    setPending(null)
    if (data) setTalk(data.sayInConversation)
    return data !== null
  }
  const leave = async () => {
    const { data } = talk ? await end.run({ input: { id: talk.id } }) : { data: null }
    if (data) setTalk(data.endConversation)
  }
  return (
    <Part title={talkWords.title} sentence={talkWords.sentence}>
      {talk && <Turns talk={talk} agent={agent.name} pending={pending} isThinking={say.isRunning} />}
      {talk && agent.version !== talk.voiceAgentVersion && (
        <Text size="sm" mt="xs" role="status">
          {talkWords.changed}
        </Text>
      )}
      {isOver && <TalkResult talk={talk} agent={agent} />}
      {talk && !isOver && <Composer ref={input} isOff={isOff} isBusy={isBusy} onSend={send} />}
      {failure && (
        <Box mt="xs">
          <ErrorNotice failure={failure} />
        </Box>
      )}
      <Group mt="xs" gap="xs">
        {talk && !isOver ? (
          <Button variant="default" disabled={isOff || say.isRunning} loading={end.isRunning} onClick={() => void leave()}>
            {talkWords.leave}
          </Button>
        ) : (
          <Button variant="default" disabled={isOff} loading={begin.isRunning} onClick={() => void start()}>
            {talk ? talkWords.again : talkWords.start}
          </Button>
        )}
      </Group>
    </Part>
  )
}
