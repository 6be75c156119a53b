// The request of a desktop application to use the account. The page asks, and sends the browser back to the application with a code.

import { Code, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { go } from '../../address/go.ts'
import { ask } from '../../data/ask.ts'
import { type Failure, failureOfUnknown } from '../../data/failure.ts'
import { MeDocument } from '../../generated/documents/session.ts'
import { ApplicationRequestDocument, AuthorizeApplicationDocument } from '../../generated/documents/sign-in.ts'
import type { ApplicationRequestQuery } from '../../generated/operations.ts'
import { programWords } from '../../language/en/account/programs.ts'
import { FailureAlert } from '../../pieces/states/failure-alert.tsx'
import { LateSkeleton } from '../../pieces/states/late-skeleton.tsx'
import { Gate } from '../../session/gate.tsx'
import { Facts } from '../facts.tsx'
import { Answer } from './answer.tsx'
import { RefusedRequest } from './refused-request.tsx'

interface Asked {
  request: ApplicationRequestQuery['applicationRequest']
  email: string | null
}

/** `search`: the parameters of the address. They contain `redirect_uri`. */
export default function ApplicationQuestion({ search }: { search: URLSearchParams }) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isRunning, setRunning] = useState(false)
  const [isSent, setSent] = useState(false)
  const input = {
    clientName: search.get('client_name') || programWords.anApplication,
    codeChallenge: search.get('code_challenge') ?? '',
    codeChallengeMethod: search.get('code_challenge_method'),
    redirectUri: search.get('redirect_uri') ?? '',
    state: search.get('state'),
  }
  const key = JSON.stringify(input)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the input.
  useEffect(() => {
    Promise.all([ask(ApplicationRequestDocument, input), ask(MeDocument, {})]).then(
      ([{ applicationRequest }, { me }]) => setAsked({ request: applicationRequest, email: me.email ?? null }),
      (error: unknown) => setFailure(failureOfUnknown(error)),
    )
  }, [key])
  const allow = async () => {
    setRunning(true)
    setFailure(null)
    try {
      const { authorizeApplication } = await ask(AuthorizeApplicationDocument, { input })
      window.location.assign(authorizeApplication.redirectTo)
      setSent(true)
    } catch (error) {
      setFailure(failureOfUnknown(error))
    }
    setRunning(false)
  }

  if (isSent) return <Gate title={programWords.goBack} sentence={programWords.given} />
  if (!asked)
    return failure ? <RefusedRequest failure={failure} /> : <Gate title={programWords.moment}>{<LateSkeleton height={36} />}</Gate>
  return (
    <Gate title={programWords.letUse(asked.request.clientName)}>
      <Facts
        facts={[
          [programWords.account, asked.email ?? programWords.yours],
          [programWords.leadsTo, <Code key="to">{asked.request.redirectsTo}</Code>],
          [programWords.may, programWords.everything],
        ]}
      />
      <Text size="sm" c="dimmed">
        {programWords.ownName}
      </Text>
      {failure && <FailureAlert failure={failure} />}
      <Answer isRunning={isRunning} onAllow={() => void allow()} onDeny={() => go('/home')} />
    </Gate>
  )
}
