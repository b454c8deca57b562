/** `node --import` of the processes of Jest: the module hooks of test files. */
import { register } from 'node:module';

register('./module-hooks.js', import.meta.url);
