export { deleteInvite, lockInviteByHash } from './invites.repository.js';
export { getInvite, withdrawUserInvites, writeInviteMail } from './invites.operations.js';
