// The page for strangers: the product, the ways to sign in, and a first request for developers.

import { Anchor, Box, Button, Group, Image, type ImageProps, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { linkTo } from '../address/go.ts'
import { welcomeWords } from '../language/en/account/welcome.ts'
import { enterAsGuest } from '../session/caller.ts'
import { Brand } from '../session/gate.tsx'
import { Developers } from './developers.tsx'
import home from './pictures/home.webp'
import homeDark from './pictures/home-dark.webp'
import classes from './welcome.module.css'

export function WelcomeScreen() {
  useDocumentTitle('Rolocom')
  return (
    <Box className={classes.page}>
      <Group component="header" justify="space-between" className={classes.top}>
        <Brand />
        <Group gap="md">
          <Anchor href="/docs" size="sm" c="inherit" className={classes.wide}>
            {welcomeWords.reference}
          </Anchor>
          <Button component="a" {...linkTo('/sign-in')} variant="default">
            {welcomeWords.signIn}
          </Button>
        </Group>
      </Group>
      <Box component="main">
        <Box className={classes.hero}>
          <Title order={1} className={classes.title}>
            {welcomeWords.title}
          </Title>
          <Text size="lg" c="dimmed" maw={620}>
            {welcomeWords.sentence}
          </Text>
          <Group gap="xs" mt="xs">
            <Button component="a" {...linkTo('/sign-in?mode=sign-up')} size="sm">
              {welcomeWords.create}
            </Button>
            <Button variant="default" size="sm" onClick={enterAsGuest}>
              {welcomeWords.guest}
            </Button>
          </Group>
          <Text size="sm" c="dimmed">
            {welcomeWords.guestSentence}
          </Text>
        </Box>
        <Picture src={home} darkHidden />
        <Picture src={homeDark} lightHidden />
        <Box component="dl" className={classes.parts}>
          {Object.values(welcomeWords.parts).map(({ name, sentence }) => (
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

// Lazy: a browser does not load the picture that the color scheme hides.
const Picture = (props: ImageProps) => (
  <Image {...props} className={classes.picture} width={1280} height={800} loading="lazy" alt={welcomeWords.picture} />
)
