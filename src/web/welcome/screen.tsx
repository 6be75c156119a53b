// The page for strangers: the product, the ways to sign in, and a first request for developers.

import { Anchor, Box, Button, Group, Image, type ImageProps, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { linkTo } from '../address/go.ts'
import { enterAsGuest } from '../session/caller.ts'
import { Brand } from '../session/gate.tsx'
import { Developers } from './developers.tsx'
import home from './pictures/home.webp'
import homeDark from './pictures/home-dark.webp'
import classes from './welcome.module.css'

const parts = [
  [
    'Contacts',
    'Notes, tasks, tags, saved views and fields of your own. Duplicates are found and merged, and a merge can be undone. Import and export files.',
  ],
  ['Calls', 'Voice agents call numbers, and record the transcript and the outcome. Without a provider, a simulator answers.'],
  ['Enrichment', 'Recipes look for what a record lacks, and suggest it with its evidence. You accept or decline each, or set a rule.'],
  ['Assistants', 'A gateway wakes assistants on time or by webhooks, lets them use your data within limits, and keeps every step.'],
  ['Credits', 'You pay from a prepaid balance. Credits are reserved before the work and charged after it, and a ledger lists every entry.'],
  ['History', 'Every change shows its author, the API it came through, and the earlier value. Changes arrive live.'],
] as const

export function WelcomeScreen() {
  useDocumentTitle('Rolocom')
  return (
    <Box className={classes.page}>
      <Group component="header" justify="space-between" className={classes.top}>
        <Brand />
        <Group gap="md">
          <Anchor href="/docs" size="sm" c="inherit" className={classes.wide}>
            API reference
          </Anchor>
          <Button component="a" {...linkTo('/sign-in')} variant="default">
            Sign in
          </Button>
        </Group>
      </Group>
      <Box component="main">
        <Box className={classes.hero}>
          <Title order={1} className={classes.title}>
            Contacts, calls and the assistants that work on them
          </Title>
          <Text size="lg" c="dimmed" maw={620}>
            Rolocom keeps the people you talk to, places voice calls, fills in missing values and runs assistants. It is one server with one
            API, and the API offers everything on these pages.
          </Text>
          <Group gap="xs" mt="xs">
            <Button component="a" {...linkTo('/sign-in?mode=sign-up')} size="sm">
              Create an account
            </Button>
            <Button variant="default" size="sm" onClick={enterAsGuest}>
              Look around as a guest
            </Button>
          </Group>
          <Text size="sm" c="dimmed">
            A guest reads a demo organization, and needs no account.
          </Text>
        </Box>
        <Picture src={home} darkHidden />
        <Picture src={homeDark} lightHidden />
        <Box component="dl" className={classes.parts}>
          {parts.map(([name, sentence]) => (
            <Box key={name} className={classes.part}>
              <Text component="dt" fw={600}>
                {name}
              </Text>
              <Text component="dd" m={0} c="dimmed">
                {sentence}
              </Text>
            </Box>
          ))}
        </Box>
        <Developers />
      </Box>
    </Box>
  )
}

// Lazy: a browser does not load the picture that the colours hide.
const Picture = (props: ImageProps) => (
  <Image
    {...props}
    className={classes.picture}
    width={1280}
    height={800}
    loading="lazy"
    alt="The home page of Rolocom: new contacts, contacts by stage, calls over time and the answer rate of thirty days"
  />
)
