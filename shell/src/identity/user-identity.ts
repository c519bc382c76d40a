/** The guest as the forms service knows it. */
export interface UserIdentity {
  uniqueId: string;
  email: string;
  name: string;
  username: string;
  registeredAt: string;
  roleName: string;
  roleUniqueId: string;
}
