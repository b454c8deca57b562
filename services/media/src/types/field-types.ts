import { internalTokenHeader, systemActor, type Context, type InternalTokenSigner } from '@quire/context';
import { invalidInput, QuireError } from '@quire/errors';
import { internalPrefix, type ServiceDoor } from '@quire/http-server';
import { usualTypes } from './allowed-types.js';

/** What files the fields of a site's collections take, as the content service knows it. */
export class FieldTypes {
  constructor(
    private readonly content: ServiceDoor,
    private readonly signer: InternalTokenSigner,
  ) {}

  /**
   * The types that may be uploaded for a field, or for none.
   * @throws QuireError VALIDATION_ERROR when there is no such field, SERVICE_UNAVAILABLE when content cannot be asked.
   */
  async allowed(ctx: Context, fieldId: string | undefined): Promise<readonly string[]> {
    if (fieldId === undefined) return usualTypes;
    const token = this.signer.sign(systemActor(ctx.principal.tenant, 'system:media'));
    const path = `${internalPrefix}/content/file-types`;
    const { status, text } = await this.content.ask(path, { fieldId }, { [internalTokenHeader]: token });
    if (status === 404) throw invalidInput([{ path: 'fieldId', message: 'is no field of this site' }]);
    if (status !== 200) throw new QuireError('SERVICE_UNAVAILABLE', 'The field cannot be asked for now');
    const { data } = JSON.parse(text) as { data: { allowedMimeTypes: string[] | null } };
    return data.allowedMimeTypes ?? usualTypes;
  }
}
