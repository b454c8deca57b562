/** What a tab that wants to edit an entry asks of the tab that does. */
interface ClaimMessage {
  name: string;
}

const channelName = 'quire-panel-entries';
/** Time in which the other tab stores its text and gives the entry up; a frozen one does not respond. */
const yieldMs = 3_000;

/** The right of one tab of the browser to edit an entry. */
export interface TabClaim {
  release: () => void;
}

/**
 * Claims an entry for this tab. Browsers without locks, on pages without TLS, have no claims: every tab edits then.
 * @param name of the entry
 * @param options.takesOver asks the tab that has the claim to give it up, and takes it if there is no response
 * @param options.onAsked another tab wants it: called once, and the claim ends when the promise settles
 * @returns undefined if another tab has it
 */
export async function claimEntry(
  name: string,
  { takesOver, onAsked }: { takesOver: boolean; onAsked: () => Promise<void> },
): Promise<TabClaim | undefined> {
  // On pages without TLS it is absent, whatever its type says.
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) return { release: () => undefined };
  if (!takesOver) return hold(locks, name, { ifAvailable: true }, onAsked);
  const channel = new BroadcastChannel(channelName);
  channel.postMessage({ name } satisfies ClaimMessage);
  channel.close();
  try {
    return await hold(locks, name, { signal: AbortSignal.timeout(yieldMs) }, onAsked);
  } catch {
    return hold(locks, name, { steal: true }, onAsked);
  }
}

/** Requests a lock, and keeps it until it is released or stolen. */
function hold(
  locks: LockManager,
  name: string,
  options: LockOptions,
  onAsked: () => Promise<void>,
): Promise<TabClaim | undefined> {
  return new Promise((resolve, reject) => {
    let isHeld = false;
    const request = locks.request(name, options, async (lock) => {
      if (lock) {
        isHeld = true;
        await untilReleased(name, resolve, onAsked);
      } else resolve(undefined);
    });
    request.catch((error: unknown) => {
      // Another tab has taken it without a response of this one, or nothing was granted in time.
      if (isHeld) void onAsked();
      else reject(error instanceof Error ? error : new DOMException('No lock was granted', 'AbortError'));
    });
  });
}

/** Settles when the claim is released, or after another tab has asked for it. */
function untilReleased(
  name: string,
  onHeld: (claim: TabClaim) => void,
  onAsked: () => Promise<void>,
): Promise<void> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(channelName);
    const release = () => {
      channel.close();
      resolve();
    };
    channel.onmessage = ({ data }: MessageEvent<ClaimMessage>) => {
      if (data.name !== name) return;
      channel.onmessage = null;
      void onAsked().finally(release);
    };
    onHeld({ release });
  });
}
