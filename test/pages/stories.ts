// What people do on the pages, step by step.

import type { Page } from 'playwright-core'
import type { Server } from '../crash/server.ts'

type Story = (page: Page, server: Server) => Promise<void>

export const stories: readonly (readonly [string, Story])[] = []
