import { z } from 'zod';

const maxValueLength = 8_000;

export const providerParams = z.object({ provider: z.string().max(100) });

/** Whatever a browser or a server sends along: codes have no length of their own. */
export const providerQuery = z.record(z.string().max(200), z.string().max(maxValueLength));

/** What follows the provider is the path of a route. */
export const routeParams = providerParams.extend({ '*': z.string().max(500) });
