/** Whether the session has ended while the panel is open. Components subscribe to it. */
class SessionState {
  private hasEnded = false;
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  readonly isOver = (): boolean => this.hasEnded;

  end(): void {
    this.set(true);
  }

  resume(): void {
    this.set(false);
  }

  private set(hasEnded: boolean): void {
    if (this.hasEnded === hasEnded) return;
    this.hasEnded = hasEnded;
    for (const listener of this.listeners) listener();
  }
}

export const session = new SessionState();

/** Name of the channel on which a tab reports that the user has signed in there. */
export const signInChannel = 'quire-panel-sign-in';
