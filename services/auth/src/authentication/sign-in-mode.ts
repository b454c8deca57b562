/** How people sign in to this installation: by the built-in methods, or by a proxy that stands before it. */
export class SignInMode {
  /** @param type as the API names it */
  constructor(readonly type: 'passkey' | 'edge-access') {}

  /** Whether the built-in methods are replaced (spec document 1, Edge access mode). */
  get isExternal(): boolean {
    return this.type !== 'passkey';
  }
}
