const maxNameLength = 100;

/** A name in quotes, in one line and after a space; empty for an empty name. */
export function quoted(name: string): string {
  const line = [...name.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').trim()];
  if (line.length === 0) return '';
  return ` “${line.slice(0, maxNameLength).join('')}${line.length > maxNameLength ? '…' : ''}”`;
}
