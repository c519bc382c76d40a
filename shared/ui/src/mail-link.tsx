import { Link, useBrand } from '@site/kit';

/** The address to write to, in a sentence such as “Write to …”. Without one: where else help is. */
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
