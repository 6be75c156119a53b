// Signing in and up: by password, by mail, by Google, or as a guest. A desktop application's request follows after it.

import { Anchor, Button, Divider, Stack } from '@mantine/core'
import { IconBrandGoogle, IconMail } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { go } from '../address/go.ts'
import { loadPart } from '../app/loaded.ts'
import type { PageProps } from '../app/pages.ts'
import { ask } from '../data/ask.ts'
import { SignInOptionsDocument } from '../generated/documents/session.ts'
import type { SignInOptionsQuery } from '../generated/operations.ts'
import { signInWords as words } from '../language/en/account/sign-in.ts'
import { enterAsGuest, useCaller } from '../session/caller.ts'
import { Gate, ReferenceLine } from '../session/gate.tsx'
import { googleAddress, type SignInRefused } from '../session/sign-in.ts'
import { PasswordForm } from './password-form.tsx'
import { refusalOf, SignInProblem } from './problem.tsx'
import { TwoWays } from './two-ways.tsx'

// Few people need these parts, so the others do not wait for them.
const ApplicationQuestion = lazy(() => loadPart(() => import('./programs/application.tsx')))
const CheckMail = lazy(() => loadPart(() => import('./check-mail.tsx')))
const MailForm = lazy(() => loadPart(() => import('./mail-form.tsx')))

type Options = SignInOptionsQuery['signInOptions']
type Mode = keyof typeof words.titles

export function SignInScreen({ address }: PageProps) {
  const caller = useCaller()
  if (address.searchParams.get('redirect_uri') && caller.kind === 'user')
    return (
      <Suspense>
        <ApplicationQuestion search={address.searchParams} />
      </Suspense>
    )
  return <SignIn address={address} />
}

const isMode = (given: string | null): given is Mode => given !== null && Object.hasOwn(words.titles, given)

function SignIn({ address: { pathname, searchParams } }: PageProps) {
  const given = searchParams.get('mode')
  const mode = isMode(given) ? given : 'sign-in'
  const back = searchParams.get('back')
  const isForApplication = Boolean(searchParams.get('redirect_uri'))
  const [options, setOptions] = useState<Options | null>(null)
  const [mailedTo, setMailedTo] = useState<string | null>(null)
  useEffect(() => {
    // Without an answer the page shows the ways that every server offers.
    ask(SignInOptionsDocument, {}).then(
      ({ signInOptions }) => setOptions(signInOptions),
      () => null,
    )
  }, [])
  const show = (next: Mode) => {
    const search = new URLSearchParams(searchParams)
    search.set('mode', next)
    go(`${pathname}?${search}`, { replace: true })
  }
  // The address that a link in a mail, and Google, lead to.
  const target = isForApplication ? `${pathname}?${searchParams}` : (back ?? '/home')
  const isByMail = mode === 'reset' || mode === 'link'
  const sentence = isForApplication
    ? words.asks(searchParams.get('client_name') || words.anApplication)
    : back && mode === 'sign-in'
      ? words.somewhere
      : undefined

  if (mailedTo !== null) {
    const onBack = () => {
      setMailedTo(null)
      show('sign-in')
    }
    return (
      <Suspense>
        <CheckMail email={mailedTo} callbackURL={finishAddress(target)} onBack={onBack} />
      </Suspense>
    )
  }
  return (
    <Gate title={words.titles[mode]} sentence={sentence}>
      {!isByMail && options?.signUp !== 'CLOSED' && (
        <TwoWays<Mode>
          label={words.signInOrUp}
          value={mode}
          onChange={show}
          ways={[
            ['sign-in', words.signIn],
            ['sign-up', words.signUp],
          ]}
        />
      )}
      {options?.signUp === 'INVITED' && mode === 'sign-up' && <InvitedOnly />}
      {isByMail ? (
        <Suspense>
          <MailForm key={mode} kind={mode} target={target} hasMail={options?.mail !== false} />
        </Suspense>
      ) : (
        options?.password !== false && (
          <PasswordForm
            key={mode}
            isSignUp={mode === 'sign-up'}
            callbackURL={finishAddress(target)}
            verifiesFirst={Boolean(options?.magicLink && options.mail)}
            onForgotten={() => show('reset')}
            onMailed={setMailedTo}
          />
        )
      )}
      {isByMail && (
        <Anchor component="button" type="button" size="sm" style={{ alignSelf: 'start' }} onClick={() => show('sign-in')}>
          {words.back}
        </Anchor>
      )}
      {!isByMail && <OtherWays options={options} target={target} onLink={() => show('link')} withGuest={!isForApplication} />}
      <ReferenceLine />
    </Gate>
  )
}

interface OtherWaysProps {
  options: Options | null
  target: string
  onLink(): void
  withGuest: boolean
}

function OtherWays({ options, target, onLink, withGuest }: OtherWaysProps) {
  const [problem, setProblem] = useState<SignInRefused | null>(null)
  const isGuestOffered = withGuest && options?.guest !== false
  if (!options?.google && !options?.magicLink && !isGuestOffered) return null
  const google = () =>
    googleAddress(finishAddress(target)).then(
      address => window.location.assign(address),
      error => setProblem(refusalOf(error)),
    )
  return (
    <>
      <Divider label={words.or} />
      {problem && <SignInProblem problem={problem} />}
      <Stack gap="xs">
        {options?.google && (
          <Button variant="default" size="sm" leftSection={<IconBrandGoogle />} onClick={google}>
            {words.google}
          </Button>
        )}
        {options?.magicLink && (
          <Button variant="default" size="sm" leftSection={<IconMail />} onClick={onLink}>
            {words.byLink}
          </Button>
        )}
        {isGuestOffered && (
          <Button variant="default" size="sm" onClick={enterAsGuest}>
            {words.asGuest}
          </Button>
        )}
      </Stack>
    </>
  )
}

const InvitedOnly = () => <>{words.invitedOnly}</>

const finishAddress = (target: string) => `/sign-in/finish?back=${encodeURIComponent(target)}`
