// Starts a trial call of a voice agent, and opens the page of the call. The simulator plays it at once; no phone rings.

import { useNavigate } from '@tanstack/react-router'
import { useMutationWithProblems } from '../data/use-write.ts'
import { TrialCallDocument } from '../generated/documents/call-form.ts'

/** The number of a call that somebody answers, in the words of the simulator. No country has the code 999. */
export const answeredNumber = '+9990000100'

export function useTrial() {
  const navigate = useNavigate()
  const { run, isRunning, failure } = useMutationWithProblems(TrialCallDocument)
  const start = async (voiceAgentId: string, toNumber = answeredNumber) => {
    const { data, failure: failed } = await run({ input: { voiceAgentId, toNumber, isTrial: true, record: false } })
    if (data) await navigate({ to: '/calls/$callId', params: { callId: data.createCall.id } })
    return failed
  }
  return { start, isRunning, failure }
}
