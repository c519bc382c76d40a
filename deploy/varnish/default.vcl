# A cache in front of the edges, which the registries purge: a change shows soon after the edges serve it, and all other
# requests for public pages are answered here. TLS ends in front of it, for example in hitch or a load balancer with the
# PROXY protocol.
#
# Settings of the machine: site.vcl. It needs Debian's packages varnish (7.1) and varnish-modules. Run each edge with
# TRUST_PROXY=1, the registry with PURGE_PRODUCTION=varnish:http://<this machine>:6081 and VARNISH_KEY, and this with
#   varnishd -F -f /etc/site/varnish/default.vcl -a :6081,HTTP -a /run/site-varnish.sock,PROXY -s malloc,1g -p http_gzip_support=off
# Guide: docs/deployment/cdn.md.
vcl 4.1;

import std;
import xkey;

include "./site.vcl";

sub vcl_recv {
  set req.backend_hint = edges.backend();

  if (req.method == "PURGE") {
    if (client.ip !~ purgers) {
      return (synth(403));
    }
    # The published key of site.vcl.
    if (req.http.Authorization == "Bearer change-this-key") {
      return (synth(403));
    }
    call check_purge_key;
    if (req.http.Surrogate-Key !~ "\S") {
      return (synth(400));
    }
    return (synth(200, "Purged " + xkey.purge(req.http.Surrogate-Key)));
  }

  # Replaces what the client sent. Edges create request ids.
  set req.http.X-Forwarded-For = client.ip;
  unset req.http.X-Request-Id;
  unset req.http.Site-Cookies;
  # Edges join repeated headers, too.
  std.collect(req.http.Sec-Fetch-Dest);

  if (req.method != "GET" && req.method != "HEAD") {
    # Browsers post only small reports.
    if (std.integer(req.http.Content-Length, 0) > 16384) {
      return (synth(413));
    }
    return (pass);
  }

  # Edges respond in brotli, gzip or neither. `q=0` refuses an encoding.
  if (req.http.Accept-Encoding ~ "(?i)(?:^|,)\s*br\s*(?:;\s*q=(?:1(?:\.0*)?|0\.\d*[1-9]\d*)\s*)?(?:,|$)") {
    set req.http.Accept-Encoding = "br";
  } elsif (req.http.Accept-Encoding ~ "(?i)(?:^|,)\s*gzip\s*(?:;\s*q=(?:1(?:\.0*)?|0\.\d*[1-9]\d*)\s*)?(?:,|$)") {
    set req.http.Accept-Encoding = "gzip";
  } else {
    unset req.http.Accept-Encoding;
  }

  if (req.url ~ "^/assets/") {
    # Edges decide whether a file may be a worker: a service worker would outlive its version. Queries are unbounded.
    if (req.http.Service-Worker || req.http.Sec-Fetch-Dest ~ "worker$" || req.url ~ "\?") {
      return (pass);
    }
    unset req.http.Cookie;
    return (hash);
  }

  # Edges answer these visitors individually. Other cookies matter only in a canary's pages and for the removal of what a hostile version
  # has stored: then pages are private for visitors with cookies, who have an entry of their own.
  if (req.http.Authorization || req.http.Range || req.url ~ "\?" || req.http.Cookie ~ "(^|[ ;])__Host-Http-(preview|cleared)=") {
    return (pass);
  }
  if (req.http.Cookie) {
    # Edges remove what a hostile version has stored only from tabs that load a document.
    if (req.http.Sec-Fetch-Dest == "document") {
      set req.http.Site-Cookies = "document";
    } else {
      set req.http.Site-Cookies = "other";
    }
  }
  # Older pages only if no edge is in service.
  if (std.healthy(req.backend_hint)) {
    set req.grace = 60s;
  }
  return (hash);
}

sub vcl_hash {
  if (req.http.Site-Cookies) {
    hash_data(req.http.Site-Cookies);
  }
}

sub vcl_backend_fetch {
  unset bereq.http.Site-Cookies;
  # An edge answers previews after the registry and the store, within 15 s; all other requests from its memory.
  if (bereq.url ~ "^/_preview" || bereq.url ~ "^/assets/" || bereq.http.Cookie ~ "__Host-Http-preview=") {
    set bereq.first_byte_timeout = 20s;
  } else {
    set bereq.first_byte_timeout = 2s;
  }
}

sub vcl_backend_response {
  # The next edge gets a GET if this one says 503.
  if (beresp.status == 503 && bereq.retries == 0 && bereq.method == "GET") {
    return (retry);
  }
  # Edges name what a response depends on exactly if it is the same for all visitors.
  if (bereq.uncacheable || !beresp.http.Surrogate-Key || beresp.http.Set-Cookie || beresp.http.Cache-Control ~ "private" || (beresp.status >= 400 && !beresp.http.CDN-Cache-Control)) {
    set beresp.uncacheable = true;
    set beresp.ttl = 1s;
    return (deliver);
  }
  set beresp.http.xkey = beresp.http.Surrogate-Key;
  set beresp.grace = 0s;
  if (beresp.http.CDN-Cache-Control) {
    set beresp.ttl = std.duration(regsub(beresp.http.CDN-Cache-Control, "^.*\bmax-age=(\d+).*$", "\1s"), 0s);
    if (beresp.http.CDN-Cache-Control ~ "stale-if-error=") {
      set beresp.grace = std.duration(regsub(beresp.http.CDN-Cache-Control, "^.*\bstale-if-error=(\d+).*$", "\1s"), 0s);
    }
  }
  return (deliver);
}

sub vcl_backend_error {
  if (bereq.retries == 0 && bereq.method == "GET") {
    return (retry);
  }
  # A write may have reached an edge that then failed.
  if (bereq.method != "GET" && bereq.method != "HEAD") {
    set beresp.status = 502;
    return (deliver);
  }
  synthetic({"<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="robots" content="noindex"><meta http-equiv="refresh" content="5"><meta name="viewport" content="width=device-width, initial-scale=1"><title>One moment</title></head><body><main><h1>One moment</h1><p>The site does not answer right now. This page tries again every five seconds.</p></main></body></html>"});
  set beresp.http.Cache-Control = "no-store";
  set beresp.http.Retry-After = "5";
  set beresp.http.Content-Type = "text/html; charset=utf-8";
  set beresp.http.Content-Security-Policy = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";
  set beresp.http.X-Content-Type-Options = "nosniff";
  return (deliver);
}

sub vcl_deliver {
  unset resp.http.xkey;
  unset resp.http.Surrogate-Key;
  unset resp.http.Cache-Tag;
  unset resp.http.CDN-Cache-Control;
  unset resp.http.Surrogate-Control;
  unset resp.http.X-Varnish;
  if (obj.hits > 0) {
    set resp.http.X-Cache = "hit";
    # Of an earlier request.
    unset resp.http.X-Request-Id;
  } else {
    set resp.http.X-Cache = "miss";
  }
}

sub vcl_synth {
  set resp.http.Cache-Control = "no-store";
  set resp.http.Content-Type = "text/plain; charset=utf-8";
  synthetic(resp.reason);
  return (deliver);
}
