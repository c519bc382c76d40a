import type { ComponentProps, ReactNode } from 'react';
import { Link, type LinkProps } from '@site/kit';
import { classes } from './classes.ts';
import { Icon, type IconName } from './icon.tsx';
import styles from './button.module.css';

interface Look {
  variant?: 'primary' | 'secondary' | 'quiet';
  size?: 'medium' | 'small';
  /** Shown after the text. */
  icon?: IconName;
  children: ReactNode;
}

function look(variant: Look['variant'], size: Look['size'], className: string | undefined) {
  return classes(styles.button, variant && styles[variant], size === 'small' && styles.small, className);
}

/** The text is alone in its element: translators replace text nodes, and React could not change it any more. */
function buttonContent(text: ReactNode, icon: IconName | undefined): ReactNode {
  if (!icon) return text;
  return (
    <>
      <span>{text}</span>
      <Icon name={icon} />
    </>
  );
}

export type ButtonProps = Look & Omit<ComponentProps<'button'>, 'children'>;

export function Button({ variant, size, icon, children, className, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest} className={look(variant, size, className)}>
      {buttonContent(children, icon)}
    </button>
  );
}

export type ButtonLinkProps = Look &
  (
    | ({ to: LinkProps['to']; href?: never } & Omit<LinkProps, 'to' | 'children'>)
    | ({ href: string | undefined; to?: never } & Omit<ComponentProps<'a'>, 'href' | 'children'>)
  );

/** A link that looks like a button: `to` a page of the site, or `href` elsewhere. Renders nothing without a target. */
export function ButtonLink({ variant, size, icon, children, className, ...rest }: ButtonLinkProps) {
  const shared = { className: look(variant, size, className) };
  const content = buttonContent(children, icon);
  if (rest.to !== undefined) {
    return (
      <Link {...rest} {...shared}>
        {content}
      </Link>
    );
  }
  if (!rest.href) return null;
  return (
    <a rel="noopener" {...rest} {...shared}>
      {content}
    </a>
  );
}
