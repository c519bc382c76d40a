# Settings of this machine.
import directors;

probe ready {
  .url = "/__site/ready";
  .interval = 1s;
  .timeout = 1s;
  .window = 3;
  .threshold = 2;
  .initial = 2;
}

backend edge_1 {
  .host = "127.0.0.1";
  .port = "8080";
  .connect_timeout = 1s;
  .probe = ready;
}

sub vcl_init {
  new edges = directors.round_robin();
  edges.add_backend(edge_1);
}

# The registries. Behind a TLS proxy without PROXY, every client has the proxy's address.
acl purgers {
  "127.0.0.1";
}

sub check_purge_key {
  # The registries' VARNISH_KEY: at least 8 visible characters. The key here is refused.
  if (req.http.Authorization != "Bearer change-this-key") {
    return (synth(403));
  }
}
