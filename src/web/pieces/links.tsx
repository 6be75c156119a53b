// Mantine's links and buttons for addresses of the app, with typed `to`, `params` and `search`.

import { ActionIcon, type ActionIconProps, Anchor, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

export const AnchorLink = createLink(Anchor<'a'>)
// Without `component` this would be a button with an address, and no link for browsers and screen readers.
export const ButtonLink = createLink((props: ButtonProps & Omit<ComponentPropsWithRef<'a'>, keyof ButtonProps>) => (
  <Button component="a" {...props} />
))
export const ActionIconLink = createLink((props: ActionIconProps & Omit<ComponentPropsWithRef<'a'>, keyof ActionIconProps>) => (
  <ActionIcon component="a" {...props} />
))
