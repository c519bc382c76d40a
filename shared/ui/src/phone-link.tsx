import { useBrand } from '@site/kit';

export function PhoneLink({ className }: { className?: string | undefined }) {
  const { phone } = useBrand();
  if (!phone) return null;
  return (
    <a className={className} href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>
      {phone}
    </a>
  );
}
