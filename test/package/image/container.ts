// A server from a built image, which a container engine or the Dockerfile's steps have made.

export interface Image {
  /** Runs a command as the image's user, to whom everything is writable that its owner and mode allow. Resolves with the output. */
  run(command: string[]): Promise<string>
  /** Starts the server with a read-only root, a /tmp of its own, and a volume that all starts share. `settings`: beside those of the image. */
  start(settings: Record<string, string>): Promise<Container>
  remove(): Promise<void>
}

export interface Container {
  /** Whether the command of HEALTHCHECK succeeds. Throws with the log once the server has ended. */
  isHealthy(): Promise<boolean>
  /** Sends SIGTERM. Resolves with the exit status; the server is killed after `graceSeconds`, which has a status of its own. */
  stop(graceSeconds: number): Promise<number>
}
