// A story: what somebody does in the web app, step by step. A file of stories/ exports several as `stories`.

import type { Look } from './look.ts'
import type { World } from './world.ts'

export type Story = (world: World, look: Look) => Promise<void>

/** By name: a sentence that says what must hold. */
export type Stories = Readonly<Record<string, Story>>
