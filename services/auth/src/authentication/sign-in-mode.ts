/** The sign-in mode of the installation: the built-in methods, or an edge access proxy in front of it. */
export class SignInMode {
  /** @param type the mode's name in the API */
  constructor(readonly type: 'passkey' | 'edge-access') {}

  /** Whether a proxy replaces the built-in methods (spec document 1, Edge access mode). */
  get isExternal(): boolean {
    return this.type !== 'passkey';
  }
}
