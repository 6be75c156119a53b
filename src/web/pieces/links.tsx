// Mantine's links and buttons that lead to addresses of the app, with typed `to`, `params` and `search`.

import { Anchor, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

export const AnchorLink = createLink(Anchor<'a'>)
// Without `component` it would be a button with an address, which is no link to browsers and screen readers.
export const ButtonLink = createLink((props: ButtonProps & Omit<ComponentPropsWithRef<'a'>, keyof ButtonProps>) => (
  <Button component="a" {...props} />
))
