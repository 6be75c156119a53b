// For developers: the first request in several languages, its real answer, and links to the documentation.

import { Anchor, Box, Button, Code, CopyButton, Group, Stack, Tabs, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { newId } from '../data/new-id.ts'
import { welcomeWords } from '../language/en/account/welcome.ts'
import { errorWords } from '../language/en/errors.ts'
import { query, requests } from './requests.ts'
import classes from './welcome.module.css'

const words = welcomeWords.developers
const pages = () =>
  [
    ['/graphql', 'GraphiQL', words.graphiql],
    ['/docs', welcomeWords.reference, words.reference],
    ['/docs/guides', words.guides, words.guidesSentence],
  ] as const

export function Developers() {
  const [answer, setAnswer] = useState<string | null>(null)
  const [isRunning, setRunning] = useState(false)
  const send = async () => {
    setRunning(true)
    setAnswer(await demoContacts())
    setRunning(false)
  }
  return (
    <Box component="section" className={classes.corner} aria-labelledby="developers">
      <Stack gap="md" className={classes.cornerText}>
        <Title order={2} id="developers">
          {words.title}
        </Title>
        <Text c="dimmed">{words.sentence}</Text>
        <Stack component="ul" gap={6} className={classes.pages}>
          {pages().map(([href, label, what]) => (
            <li key={href}>
              <Anchor href={href} fw={500}>
                {label}
              </Anchor>
              <Text span c="dimmed">
                {' '}
                {what}
              </Text>
            </li>
          ))}
        </Stack>
      </Stack>
      <Box className={classes.code}>
        <Tabs defaultValue="curl" keepMounted={false}>
          <Tabs.List>
            {requests.map(({ name, label }) => (
              <Tabs.Tab key={name} value={name}>
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {requests.map(({ name, label, text }) => (
            <Tabs.Panel key={name} value={name} className={classes.panel}>
              <Code block className={classes.pre} tabIndex={0} role="region" aria-label={words.request(label)}>
                {text}
              </Code>
              <Group gap="xs">
                <Button variant="default" loading={isRunning} onClick={() => void send()}>
                  {words.send}
                </Button>
                <CopyButton value={text}>
                  {({ copied, copy }) => (
                    <Button variant="subtle" color="gray" onClick={copy}>
                      {copied ? words.copied : words.copy}
                    </Button>
                  )}
                </CopyButton>
              </Group>
            </Tabs.Panel>
          ))}
        </Tabs>
        {answer !== null && (
          <Code block className={classes.answer} tabIndex={0} role="region" aria-label={words.answer} aria-live="polite">
            {answer}
          </Code>
        )}
      </Box>
    </Box>
  )
}

async function demoContacts(): Promise<string> {
  try {
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-guest-id': newId() },
      body: JSON.stringify({ query }),
    })
    return JSON.stringify(await response.json(), null, 2)
  } catch {
    return errorWords.noAnswer
  }
}
