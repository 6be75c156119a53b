// The providers that recipes may name.

import type { Provider } from './provider.ts'
import { calls } from './providers/calls.ts'
import { email } from './providers/email.ts'
import { gravatar } from './providers/gravatar.ts'
import { http } from './providers/http.ts'
import { llm } from './providers/llm.ts'
import { phone } from './providers/phone.ts'
import { web } from './providers/web.ts'

export const providers: Readonly<Record<string, Provider>> = { calls, email, gravatar, http, llm, phone, web } as Record<string, Provider>

export const isProvider = (name: string): boolean => Object.hasOwn(providers, name)
