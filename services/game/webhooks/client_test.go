package webhooks

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestURLs(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]struct{ public, private bool }{
		"https://hooks.example/a?b=c":     {true, true},
		"https://hooks.example:8443/":     {true, true},
		"https://8.8.8.8/":                {true, true},
		"http://hooks.example/":           {false, true},
		"https://10.0.0.1/":               {false, true},
		"https://127.0.0.1/":              {false, true},
		"https://[::1]/":                  {false, true},
		"https://[::ffff:192.168.0.1]/":   {false, true},
		"https://me:secret@hooks.example": {false, false},
		"https://hooks.example/#here":     {false, false},
		"ftp://hooks.example/":            {false, false},
		"https://localhost/x":             {false, true},
		"https://LOCALHOST./x":            {false, true},
		"https://foo.localhost/":          {false, true},
		"https://localhost.example/":      {true, true},
		"https://127.1/":                  {false, true},
		"https://127.0.0.1./":             {false, true},
		"https://2130706433/":             {false, true},
		"https://0x7F.1/":                 {false, true},
		"https://0x7f000001/":             {false, true},
		"https://1.hooks.example/":        {true, true},
		"https://hooks.example:65535/":    {true, true},
		"https://hooks.example:65536/":    {false, false},
		"https://hooks.example:0/":        {false, false},
		"https:///path":                   {false, false},
		"hooks.example":                   {false, false},
		"":                                {false, false},
	} {
		if err := CheckURL(url, false); (err == nil) != want.public {
			t.Errorf("%q: %v", url, err)
		}
		if err := CheckURL(url, true); (err == nil) != want.private {
			t.Errorf("%q with private networks: %v", url, err)
		}
	}
}

func TestConnectionsToAddressesThatAreNotPublicAreRejected(t *testing.T) {
	t.Parallel()
	client := NewClient(false)
	for _, host := range []string{
		"localhost", "127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.0.1", "169.254.169.254",
		"100.64.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255", "[::1]", "[::]", "[fe80::1]",
		"[fc00::1]", "[ff02::1]", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]",
	} {
		response, err := client.Get("http://" + host + ":9/")
		if err == nil {
			response.Body.Close()
		}
		if err == nil || reasonOf(err).Error() != "the address is not public" {
			t.Errorf("%s: %v", host, err)
		}
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.RedirectHandler("/again", http.StatusFound))
	defer server.Close()
	client := NewClient(true)
	defer client.CloseIdleConnections()
	response, err := client.Post(server.URL, "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusFound {
		t.Errorf("status %d, want that of the redirect", response.StatusCode)
	}
}
