/** Descriptions of the tags of the service's documented operations. */
export const authTags = {
  Users: 'Users and the e-mail domains that may sign up',
} as const;
