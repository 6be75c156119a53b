// The request of an OAuth client, such as an AI application, to act for the person. The page shows the client's name, its address and its
// scopes.

import { Checkbox, Code, NativeSelect, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { go } from '../../address/go.ts'
import type { PageProps } from '../../app/pages.ts'
import { ask } from '../../data/ask.ts'
import { type Failure, failureOfUnknown } from '../../data/failure.ts'
import { MeDocument } from '../../generated/documents/session.ts'
import { AllowOAuthClientDocument, OAuthRequestDocument } from '../../generated/documents/sign-in.ts'
import type { MeQuery, OAuthRequestQuery } from '../../generated/operations.ts'
import type { ApiKeyScope } from '../../generated/schema.ts'
import { programWords } from '../../language/en/account/programs.ts'
import { byLabel } from '../../language/order.ts'
import { FailureAlert } from '../../pieces/states/failure-alert.tsx'
import { LateSkeleton } from '../../pieces/states/late-skeleton.tsx'
import { chooseOrganization, forgetCaller, useCaller, useOrganizationId } from '../../session/caller.ts'
import { Gate } from '../../session/gate.tsx'
import { scopeWords } from '../../settings/keys/scopes.ts'
import { Facts } from '../facts.tsx'
import { Answer } from './answer.tsx'
import { RefusedRequest } from './refused-request.tsx'

export function ClientScreen({ address }: PageProps) {
  const caller = useCaller()
  const isSignedIn = caller.kind === 'user'
  useEffect(() => {
    if (isSignedIn) return
    go(`/sign-in?${new URLSearchParams({ back: `${address.pathname}${address.search}` })}`, { replace: true })
    // Ends the guest's session: a guest has no account for which a client could act.
    forgetCaller()
  }, [isSignedIn, address])
  return isSignedIn ? <ClientQuestion search={address.searchParams} /> : null
}

/** The parameters of RFC 6749, 7636 and 8707 as an input of the server. */
const inputOf = (search: URLSearchParams) => ({
  clientId: search.get('client_id') ?? '',
  redirectUri: search.get('redirect_uri') ?? '',
  responseType: search.get('response_type'),
  codeChallenge: search.get('code_challenge'),
  codeChallengeMethod: search.get('code_challenge_method'),
  scope: search.get('scope'),
  resource: search.get('resource'),
  state: search.get('state'),
})

interface Asked {
  request: OAuthRequestQuery['oauthRequest']
  me: MeQuery['me']
}

function ClientQuestion({ search }: { search: URLSearchParams }) {
  const organizationId = useOrganizationId()
  const [asked, setAsked] = useState<Asked | null>(null)
  const [refused, setRefused] = useState<readonly ApiKeyScope[]>([])
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isRunning, setRunning] = useState(false)
  const [isSent, setSent] = useState(false)
  const key = search.toString()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the search. The scopes depend on the role in the organization.
  useEffect(() => {
    let isStale = false
    Promise.all([ask(OAuthRequestDocument, inputOf(search)), ask(MeDocument, {})]).then(
      ([{ oauthRequest }, { me }]) => {
        if (isStale) return
        const own = me.organizations.map(({ id }) => id)
        if (own[0] && !own.includes(organizationId ?? '')) return chooseOrganization(own[0])
        setAsked({ request: oauthRequest, me })
      },
      (error: unknown) => !isStale && setFailure(failureOfUnknown(error)),
    )
    return () => {
      isStale = true
    }
  }, [key, organizationId])

  if (isSent) return <Gate title={programWords.goBack} sentence={programWords.given} />
  if (!asked)
    return failure ? <RefusedRequest failure={failure} /> : <Gate title={programWords.moment}>{<LateSkeleton height={36} />}</Gate>

  const { request, me } = asked
  const scopes = request.scopes.filter(scope => !refused.includes(scope))
  const allow = async () => {
    setRunning(true)
    setFailure(null)
    try {
      const { allowOAuthClient } = await ask(AllowOAuthClientDocument, { input: { ...inputOf(search), scopes } })
      window.location.assign(allowOAuthClient.redirectTo)
      setSent(true)
    } catch (error) {
      setFailure(failureOfUnknown(error))
    }
    setRunning(false)
  }
  const toggle = (scope: ApiKeyScope, isAllowed: boolean) =>
    setRefused(isAllowed ? refused.filter(one => one !== scope) : [...refused, scope])
  return (
    <Gate title={programWords.actForYou(request.clientName)}>
      <Facts
        facts={[
          [programWords.account, me.email ?? programWords.yours],
          [programWords.organization, <OrganizationChoice key="organization" me={me} chosen={organizationId} />],
          ...(request.publishedBy ? [[programWords.publishedBy, <Code key="by">{request.publishedBy}</Code>] as const] : []),
          [programWords.leadsTo, <Code key="to">{request.redirectsTo}</Code>],
        ]}
      />
      <Checkbox.Group
        label={programWords.asYou}
        description={request.scopes.length === 0 ? programWords.nothingAllowed : undefined}
        value={scopes}
      >
        <Stack gap="xs" mt="xs">
          {request.scopes.map(scope => (
            <Checkbox key={scope} value={scope} label={scopeWords[scope]} onChange={event => toggle(scope, event.currentTarget.checked)} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Text size="sm" c="dimmed">
        {programWords.unchecked}
      </Text>
      {failure && <FailureAlert failure={failure} />}
      <Answer
        isRunning={isRunning}
        isDisabled={scopes.length === 0}
        onAllow={() => void allow()}
        onDeny={() => window.location.assign(request.deniedTo)}
      />
    </Gate>
  )
}

function OrganizationChoice({ me: { organizations }, chosen }: { me: MeQuery['me']; chosen: string | null }) {
  if (organizations.length < 2) return organizations[0]?.name ?? programWords.none
  return (
    <NativeSelect
      aria-label={programWords.organization}
      size="xs"
      value={chosen ?? undefined}
      data={organizations.map(({ id, name }) => ({ value: id, label: name })).toSorted(byLabel)}
      onChange={event => chooseOrganization(event.currentTarget.value)}
    />
  )
}
