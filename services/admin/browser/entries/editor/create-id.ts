const idBytes = 16;

/** A random id of 32 hexadecimal digits. `crypto.randomUUID` exists on pages with TLS only. */
export function createId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(idBytes));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
