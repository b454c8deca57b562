/** An invalid setting of the operator. `message` is one line with the required action. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}
