// Mantine's links and buttons for addresses of the app, with typed `to`, `params` and `search`.

import { Anchor, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

export const AnchorLink = createLink(Anchor<'a'>)
// Without `component` this would be a button with an address, and no link for browsers and screen readers.
export const ButtonLink = createLink((props: ButtonProps & Omit<ComponentPropsWithRef<'a'>, keyof ButtonProps>) => (
  <Button component="a" {...props} />
))
