import { z } from 'zod';

const maxValueLength = 8_000;

/** The id of the provider. */
export const providerParams = z.object({ provider: z.string().max(100) });

/** Any query parameters, because they depend on the provider. Codes have no specified length. */
export const providerQuery = z.record(z.string().max(200), z.string().max(maxValueLength));

/** The rest of the path is that of the provider's route. */
export const routeParams = providerParams.extend({ '*': z.string().max(500) });
