export { readInvite } from './operations/read-invite.js';
export { deleteInvite, lockInviteByHash } from './invites.repository.js';
export { withdrawUserInvites } from './operations/withdraw-user-invites.js';
export { writeInviteMail } from './operations/write-invite-mail.js';
