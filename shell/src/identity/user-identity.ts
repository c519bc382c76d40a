export interface UserIdentity {
  uniqueId: string;
  email: string;
  name: string;
  username: string;
  registeredAt: string;
  roleName: string;
  roleUniqueId: string;
}
