// Workers of a test's server as processes of their own, which a test can kill.

import { type ChildProcess, spawn } from 'node:child_process'
import { hookToken, serviceToken, type TestApp } from '../app.ts'

export function workersOf(server: Pick<TestApp, 'database'>, more: Readonly<Record<string, string>> = {}) {
  const children: ChildProcess[] = []
  const startWorker = async () => {
    const secrets = { SVC_SERVICES_TOKEN: serviceToken, HOOKS_TOKEN: hookToken, IDENTITY_SECRET: 'test-identity-secret-0123456789abcdef' }
    const settings = {
      NODE_ENV: 'test',
      PORT: '0',
      ROLES: 'worker',
      LOG_LEVEL: 'silent',
      DATABASE_URL: server.database.url,
      ...secrets,
      ...more,
    }
    const child = spawn(process.execPath, ['src/main.ts'], { env: { ...process.env, ...settings }, stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(child)
    await new Promise<void>(resolve => child.stdout.once('data', () => resolve()))
    return child
  }
  return { children, startWorker }
}
