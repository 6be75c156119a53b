// Processes of a bench: pinning to a CPU, and the CPU time that they used. Without /proc, the figures are NaN.

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

export const isInstalled = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

const canPin = process.env.PIN !== '0' && isInstalled('taskset') && cpus().length >= 2
const ticksPerSecond = Number(spawnSync('getconf', ['CLK_TCK']).stdout) || 100

/** The server under load, and everything else. */
export const [serverCpu = '0', otherCpu = '1'] = (process.env.CPUS ?? '0,1').split(',')

export const pinned = (cpu: string, command: readonly string[]): [string, string[]] => {
  const [program = '', ...args] = command
  return canPin ? ['taskset', ['-c', cpu, program, ...args]] : [program, args]
}

/** Moves a running process and its children. */
export function pin(cpu: string, pid: number): void {
  if (canPin) for (const each of [pid, ...childrenOf(pid)]) spawnSync('taskset', ['-p', '-c', cpu, String(each)])
}

/** Seconds of CPU that a process has taken; with `family`, its children's too, ended ones included. */
export function cpuSeconds(pid: number, { family = false } = {}): number {
  const own = statOf(pid)
  if (!own) return Number.NaN
  return family ? childrenOf(pid).reduce((sum, child) => sum + (statOf(child)?.own ?? 0), own.own + own.ended) : own.own
}

/** Seconds of CPU that the machine was busy for. */
export function busySeconds(): number {
  try {
    const fields = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.trim().split(/\s+/).slice(1).map(Number) ?? []
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = fields
    return (user + nice + system + irq + softirq + steal) / ticksPerSecond
  } catch {
    return Number.NaN
  }
}

export function residentMiB(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}

const childrenOf = (pid: number) => readableProcesses().filter(each => statOf(each)?.parent === pid)

function readableProcesses(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Boolean)
  } catch {
    return []
  }
}

function statOf(pid: number): { parent: number; own: number; ended: number } | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = line
      .slice(line.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const ticks = (...places: number[]) => places.reduce((sum, place) => sum + (fields[place] ?? 0), 0) / ticksPerSecond
    return { parent: fields[1] ?? 0, own: ticks(11, 12), ended: ticks(13, 14) }
  } catch {
    return null
  }
}
