import { Link, useBrand } from '@site/kit';

/** The email address within a sentence such as “Write to …”. Without an address: another place for help. */
export function MailLink({ className }: { className?: string | undefined }) {
  const { email } = useBrand();
  if (!email)
    return (
      <Link className={className} to="/support">
        our support
      </Link>
    );
  return (
    <a className={className} href={`mailto:${email}`}>
      {email}
    </a>
  );
}
